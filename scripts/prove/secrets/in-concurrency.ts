/** Enough that responses which are slowed on purpose do not add up. */
const CONCURRENCY = 8;

/** Does `work` with each, a few at a time. */
export async function withConcurrency<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const rest = [...all];
  const worker = async (): Promise<void> => {
    for (let each = rest.shift(); each !== undefined; each = rest.shift()) await work(each);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
