import type { ServerProcess } from '@hub/testkit';
import type { Hunt } from './hunt.ts';

/** A running server and its callers. */
export interface Drive {
  readonly hunt: Hunt;
  readonly server: ServerProcess;
  readonly port: number;
  readonly url: string;
  readonly hubId: string;
}

let lastAddress = 0;

/** Returns a different address for each request, since every failure increases the delay for its address. */
export function nextAddress(): string {
  lastAddress += 1;
  return `10.${(lastAddress >> 16) & 255}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
}
