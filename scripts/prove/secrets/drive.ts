import type { ServerProcess } from '../start-server.ts';
import type { Hunt } from './hunt.ts';

/** A running server, and who drives it. */
export interface Drive {
  readonly hunt: Hunt;
  readonly server: ServerProcess;
  readonly port: number;
  readonly url: string;
  readonly hubId: string;
}

let lastAddress = 0;

/** Each request comes from another address, since failures from one address slow it down more and more. */
export function nextAddress(): string {
  lastAddress += 1;
  return `10.${(lastAddress >> 16) & 255}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
}
