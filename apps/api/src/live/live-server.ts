import type { CommitReport } from '../store/store.ts';
export class LiveServer {
  readonly websocket: Bun.WebSocketHandler<unknown> = { message() {} };
  constructor(_o: object) {}
  start(_publish: (topic: string, frame: string) => void): void {}
  async stop(): Promise<void> {}
  committed(_report: CommitReport): void {}
}
