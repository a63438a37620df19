/** Enough that answers which are slowed on purpose do not add up. */
const LANES = 8;

/** Does `work` with each, a few at a time. */
export async function inLanes<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const rest = [...all];
  const lane = async (): Promise<void> => {
    for (let each = rest.shift(); each !== undefined; each = rest.shift()) await work(each);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
