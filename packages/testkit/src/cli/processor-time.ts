/** Returns the processor time in milliseconds that work takes, which other programs on a busy machine do not change. */
export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
