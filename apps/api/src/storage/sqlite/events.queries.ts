export type { EventWrites } from './events.ts';
