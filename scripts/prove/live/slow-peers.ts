import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { LIMITS } from '@hub/contract';
import {
  HubServer,
  openConnection,
  openFiles,
  postRequest,
  quantile,
  rawHead,
  residentMiB,
  userWithToken,
} from '@hub/testkit';
import { createLedger, startPacedLoad } from '../kit/post-load.ts';
import type { Proof } from '../kit/proof.ts';

const [PEERS_PER_KEY, RATE, TRAFFIC_KEYS] = [40, 60, 60];
const BIG_NOTES = 40;
const QUIET_MS = 2_500;
const CLOSED_MS = 20_000;
const LOOK_MS = 250;
const DROP_MS = 1_000;
/** The peers of a crowd connect within three seconds, or 9 ms apart. */
const [COMING_MS, COMING_MS_EACH] = [3_000, 9];
const MIB_AT_REST = 150;
/** Allows for part of an unread response, or part of a request body after a mebibyte of it has arrived. */
const MIB_PER_PEER = 0.4;
/** The permitted slowdown of posts while a crowd is connected, and how much of it may be noise. */
const [MAX_RATIO, CHANCE_MS] = [3, 50];

interface Behavior {
  /** Written at once. */
  readonly first: string;
  /** Written every second after that. */
  readonly drops?: string;
  readonly readsNothing?: boolean;
}

type Credentials = Readonly<Record<'key' | 'token' | 'hubId', string>>;

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

/** All kinds of slow peers. */
function behaviors({ key, token, hubId }: Credentials): Readonly<Record<string, Behavior>> {
  const post = (length: string, bearer = key, path = '/api/public/v1/messages'): string => {
    const lines = [`POST ${path} HTTP/1.1`, 'Host: hub', `Authorization: Bearer ${bearer}`];
    return rawHead(...lines, 'Content-Type: application/json', length);
  };
  const get = (path: string): string => rawHead(`GET ${path} HTTP/1.1`, 'Host: hub', `Authorization: Bearer ${token}`);
  const readsNothing = true;
  const halfHead = `GET / HTTP/1.1\r\nHost: hub\r\nX: `;
  const chunks = 'Transfer-Encoding: chunked';
  const { openBodyBytes } = LIMITS;
  const signIn = post(`Content-Length: ${openBodyBytes}`, 'none', '/api/v1/session') + ' '.repeat(openBodyBytes - 1);
  const toWorkspace = post('Content-Length: 1000', token, `/api/v1/hubs/${hubId}/messages`);
  return {
    'sends nothing': { first: '' },
    'sends its head in drops': { first: halfHead, drops: 'x' },
    'sends its body in drops': { first: post('Content-Length: 1000'), drops: 'x' },
    'sends chunks in drops': { first: post(chunks), drops: chunk('x') },
    'sends a body of nobody in drops': { first: post('Content-Length: 1000', 'none'), drops: 'x' },
    'sends nearly all of a sign-in, then nothing': { first: signIn },
    'sends a body to the workspace in drops': { first: toWorkspace, drops: 'x' },
    'reads no list': { first: get(`/api/v1/hubs/${hubId}/notes?limit=100`), readsNothing },
    'reads no stream': { first: get('/api/v1/stream?limit=100'), readsNothing },
    'reads no export': { first: get(`/api/v1/hubs/${hubId}/export`), readsNothing },
    'reads no page': { first: get('/api/docs'), readsNothing },
  };
}

type SlowPeer = Awaited<ReturnType<typeof slowPeer>>;

/** Resolves once the peer is connected and slow. `closedMs`: how long it was slow until the server closed the connection. */
async function slowPeer(port: number, kind: string, { first, drops = '', readsNothing = false }: Behavior) {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  socket.resume();
  // A reset also ends the connection.
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (readsNothing) socket.pause();
  if (first !== '') socket.write(first);
  const dropping = setInterval(() => {
    if (socket.writable && drops !== '') socket.write(drops);
  }, DROP_MS);
  const hangUp = (): void => {
    clearInterval(dropping);
    socket.destroy();
  };
  return { kind, port: socket.localPort ?? 0, since: performance.now(), closedMs: Number.POSITIVE_INFINITY, hangUp };
}

/** Sends normal posts throughout, at first alone, and then beside a crowd of slow peers. */
export async function proveSlowPeers(proof: Proof, peers: number): Promise<void> {
  const server = await new HubServer(join(proof.folder, 'slow-peers')).start();
  const [hubId = ''] = await server.admin.createHubs(1);
  const { request, token } = await userWithToken(server, { name: 'Ada', hubIds: [hubId] });
  // Notes for long lists and a long export.
  const content = 'é'.repeat(199_000);
  for (let n = 0; n < BIG_NOTES; n += 1)
    await request('POST /hubs/{hubId}/notes', { hubId, body: { content: `${n} ${content}` } });
  const ledger = createLedger(await server.admin.issueKeys([hubId], TRAFFIC_KEYS));
  const keys = (await server.admin.issueKeys([hubId], Math.ceil(peers / PEERS_PER_KEY))).map(({ key }) => key);
  const filesBefore = openFiles(server.pid);
  const load = startPacedLoad(ledger, server.port, RATE);
  const alone = await load.during(() => Bun.sleep(QUIET_MS));
  const mibBefore = residentMiB(server.pid);
  let peakMiB = 0;
  const sampling = setInterval(() => {
    peakMiB = Math.max(peakMiB, residentMiB(server.pid));
  }, LOOK_MS);
  // Not measured while they come, since some of them read long lists then.
  const crowd = await gatherCrowd(server, peers, (index) => ({ key: keys[index % keys.length] ?? '', token, hubId }));
  const beside = await load.during(() => untilGone(server, crowd));
  await load.stop();
  clearInterval(sampling);

  checkPeers(proof, crowd);
  const allowed = MIB_AT_REST + peers * MIB_PER_PEER;
  const memory = `${mibBefore.toFixed(0)} MiB before, ${peakMiB.toFixed(0)} at most`;
  proof.check(`memory grows by less than ${allowed} MiB beside slow peers`, peakMiB < mibBefore + allowed, memory);
  const files = openFiles(server.pid);
  proof.check('no connection is left open', files <= filesBefore + 5, `${filesBefore} files before, ${files} after`);
  const [without, withThem] = [quantile(alone, 0.99), quantile(beside, 0.99)];
  const detail = `p99 ${withThem.toFixed(1)} ms, and ${without.toFixed(1)} ms without`;
  proof.check('normal posts are not slower beside slow peers', withThem < MAX_RATIO * without + CHANCE_MS, detail);
  proof.none('every normal post returns 201', [...ledger.unexpected, ...ledger.rejected]);
  await server.finish(proof);
}

/** Connects slow peers of all kinds. */
async function gatherCrowd({ port }: HubServer, peers: number, credentials: (index: number) => Credentials) {
  const crowd: SlowPeer[] = [];
  for (let index = 0; index < peers; index += 1) {
    const kinds = Object.entries(behaviors(credentials(index)));
    const [kind, behavior] = kinds[index % kinds.length] as (typeof kinds)[number];
    crowd.push(await slowPeer(port, kind, behavior));
    await Bun.sleep(Math.max(COMING_MS / peers, COMING_MS_EACH));
  }
  return crowd;
}

/** Waits until all have been disconnected or should have been. */
async function untilGone({ port }: HubServer, crowd: readonly SlowPeer[]): Promise<void> {
  for (let isWaiting = true; isWaiting; await Bun.sleep(LOOK_MS)) {
    const connected = connectedTo(port);
    const now = performance.now();
    for (const peer of crowd) {
      if (peer.closedMs === Number.POSITIVE_INFINITY && !connected.has(peer.port)) peer.closedMs = now - peer.since;
    }
    isWaiting = crowd.some(({ closedMs, since }) => closedMs > now - since && now - since < CLOSED_MS + LOOK_MS);
  }
  for (const peer of crowd) peer.hangUp();
}

function checkPeers(proof: Proof, peers: readonly SlowPeer[]): void {
  for (const [kind, each] of Map.groupBy(peers, (peer) => peer.kind)) {
    const most = Math.max(...each.map(({ closedMs }) => closedMs)) / 1000;
    proof.report(`${kind}: closed after ${most.toFixed(1)} s at most`);
  }
  const left = peers.filter(({ closedMs }) => closedMs > CLOSED_MS).map(({ kind }) => kind);
  proof.none(`all of ${peers.length} slow peers are closed within ${CLOSED_MS / 1000} s`, left);
}

const FILES = 128;
const SILENT = 140;

/**
 * Silent connections use up all files of a server with a low limit, while an existing connection posts and a new one
 * waits.
 */
export async function proveOpenFiles(proof: Proof): Promise<void> {
  const under = ['sh', '-c', `ulimit -n ${FILES}; exec "$@"`, 'sh'];
  const server = await new HubServer(join(proof.folder, 'open-files'), { under }).start();
  const keys = await server.admin.issueKeys(await server.admin.createHubs(1), 5);
  const existing = await openConnection(server.port);
  let posts = 0;
  const post = async (connection = existing) => {
    posts += 1;
    return (await connection.send(postRequest('messages', keys[posts % 5]?.key ?? '', `Post ${posts}`))).status;
  };
  // The server does not see a connection on which nothing was sent.
  await post();
  const silent = Array.from({ length: SILENT }, () => connect(server.port, '127.0.0.1').on('error', () => {}));
  const speaking = setInterval(() => {
    if (proof.isCounterProof) for (const socket of silent) socket.write('GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n');
  }, 2_000);
  // If nothing is sent on a connection, the kernel does not pass the connection to the server at first.
  await Bun.sleep(3_000);
  const full = openFiles(server.pid);
  proof.check(`all ${FILES} files of the server are in use`, full >= FILES - 1, `${full} are`);
  const start = performance.now();
  let newMs = Number.POSITIVE_INFINITY;
  void openConnection(server.port).then(async (connection) => {
    if ((await post(connection)) === 201) newMs = performance.now() - start;
    connection.close();
  });
  const statuses: number[] = [];
  while (newMs === Number.POSITIVE_INFINITY && performance.now() - start < CLOSED_MS) {
    statuses.push(await post());
    await Bun.sleep(500);
  }
  const areGood = statuses.length > 3 && statuses.every((status) => status === 201);
  proof.check('existing connections keep working without free files', areGood, statuses.join());
  const seconds = (newMs / 1000).toFixed(1);
  proof.check('a new connection is accepted once silent ones are closed', newMs < CLOSED_MS, `after ${seconds} s`);
  clearInterval(speaking);
  for (const socket of silent) socket.destroy();
  existing.close();
  proof.check('the server finally exits with 0', (await server.stop()) === 0);
}

/** The states of connections that are established, or not yet passed to the server because nothing was sent. */
const CONNECTED = ['01', '03'];

/**
 * Returns the ports of the peers connected to this port, as the kernel sees them on the server's side, since a peer
 * that does not read never notices that its connection has ended.
 */
function connectedTo(port: number): Set<number> {
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
