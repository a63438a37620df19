export { median, quantile, table } from '@hub/testkit/statistics';

export const thousands = (value: number): string => Math.round(value).toLocaleString('en-US');
export const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1);
