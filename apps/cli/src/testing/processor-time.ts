/** Returns the processor time in milliseconds that work takes, which other programs on a busy machine do not change. */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
