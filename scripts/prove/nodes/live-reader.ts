interface Frame {
  type: string;
  seq: number;
  epoch?: string;
  data?: { id: string };
}

/**
 * A client that follows one Hub through several nodes: when its connection ends, it connects to the next node and asks
 * for the events after the last one that it has.
 */
export class LiveReader {
  readonly received = new Set<string>();
  readonly problems: string[] = [];
  /** When the last connection ended, on the monotonic clock. */
  closedAt = Number.NaN;
  #last = 0;
  #epoch: string | undefined;
  #node: number;
  #socket: WebSocket | undefined;
  #isStopped = false;
  readonly #ports: readonly number[];
  readonly #hubId: string;
  readonly #token: string;

  constructor({ ports, hubId, token }: { ports: readonly number[]; hubId: string; token: string }, node: number) {
    this.#ports = ports;
    this.#hubId = hubId;
    this.#token = token;
    this.#node = node;
    this.#connect();
  }

  /** The number of the last event that it has. */
  get last(): number {
    return this.#last;
  }

  stop(): void {
    this.#isStopped = true;
    this.#socket?.close();
  }

  #connect(): void {
    const port = this.#ports[this.#node % this.#ports.length];
    const headers = { authorization: `Bearer ${this.#token}` };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/live`, { headers } as unknown as string[]);
    this.#socket = socket;
    socket.onopen = () => {
      const epoch = this.#epoch === undefined ? {} : { epoch: this.#epoch };
      socket.send(JSON.stringify({ type: 'subscribe', hubId: this.#hubId, after: this.#last, ...epoch }));
    };
    socket.onmessage = ({ data }) => this.#read(JSON.parse(String(data)) as Frame);
    socket.onclose = () => {
      this.closedAt = performance.now();
      if (this.#isStopped) return;
      this.#node += 1;
      setTimeout(() => this.#connect(), 100);
    };
  }

  #read({ type, seq, epoch, data }: Frame): void {
    if (type === 'reset') this.problems.push(`a reset to ${seq} after ${this.#last}`);
    if (type === 'subscribed') {
      if (this.#epoch !== undefined && epoch !== this.#epoch) this.problems.push('another epoch');
      this.#epoch = epoch;
    }
    // The node could not read the log, for example because its database was away. The next one can.
    if (type === 'error') this.#socket?.close();
    if (type !== 'event') return;
    if (seq <= this.#last) this.problems.push(`${seq} twice`);
    else if (seq > this.#last + 1) this.problems.push(`${seq} after ${this.#last}`);
    this.#last = seq;
    if (data) this.received.add(data.id);
  }
}
