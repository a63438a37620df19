import type { Me } from '@hub/contract';
import { type ReadonlySignal, signal } from '@preact/signals';
import { ApiError, onSignedOut, request, wordsOf } from '../api/request.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';

export type SessionState =
  | { status: 'asking' }
  /** The server could not be asked. */
  | { status: 'failed'; words: string }
  | { status: 'signed-out' }
  | { status: 'signed-in'; workspace: Workspace };

const state = signal<SessionState>({ status: 'asking' });

/** Who is signed in, in this tab. */
export const session: ReadonlySignal<SessionState> = state;

/** Asks the server who the cookie says one is. */
export async function resume(): Promise<void> {
  state.value = { status: 'asking' };
  try {
    enter(await request<Me>('GET', '/me'));
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 401) leave();
    else state.value = { status: 'failed', words: wordsOf(error) };
  }
}

/** @throws ApiError if the password is wrong; NoAnswer. */
export async function signIn(email: string, password: string): Promise<void> {
  enter(await request<Me>('POST', '/session', { body: { email, password } }));
}

export async function signOut(): Promise<void> {
  await request('DELETE', '/session');
  leave();
}

function enter(me: Me): void {
  close();
  state.value = { status: 'signed-in', workspace: openWorkspace(me, leave) };
}

function leave(): void {
  close();
  state.value = { status: 'signed-out' };
}

function close(): void {
  const { value } = state;
  if (value.status === 'signed-in') value.workspace.hubs.close();
}

onSignedOut(() => {
  if (state.peek().status === 'signed-in') leave();
});
