export { median, quantile } from '@hub/testkit/statistics';

export const thousands = (value: number): string => Math.round(value).toLocaleString('en-US');
export const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1);

/** Returns a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
