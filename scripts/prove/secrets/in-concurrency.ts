/** High enough that the delays of deliberately slow responses overlap and do not add up. */
const CONCURRENCY = 8;

/** Calls `work` for each item, a few at a time. */
export async function withConcurrency<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const rest = [...all];
  const worker = async (): Promise<void> => {
    for (let each = rest.shift(); each !== undefined; each = rest.shift()) await work(each);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
