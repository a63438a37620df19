import { readdirSync, readFileSync } from 'node:fs';

/** The states of connections that are established, or not yet passed to the server because nothing was sent. */
const CONNECTED = ['01', '03'];

/**
 * Returns the ports of the peers connected to this port, as the kernel sees them on the server's side, since a peer
 * that does not read never notices that its connection has ended.
 */
export function connectedTo(port: number): Set<number> {
  const peers = new Set<number>();
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
    const [, local = '', remote = '', state] = line.trim().split(/\s+/);
    if (CONNECTED.includes(state ?? '') && portOf(local) === port) peers.add(portOf(remote));
  }
  return peers;
}

function portOf(address: string): number {
  return Number.parseInt(address.split(':')[1] ?? '', 16);
}

export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

export function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
