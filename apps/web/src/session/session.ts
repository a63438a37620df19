import type { Me } from '@hub/contract';
import { type ReadonlySignal, signal } from '@preact/signals';
import { ApiError, onSignedOut, request, wordsOf } from '../api/request.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { rememberWorkspace } from './known-workspace.ts';

export type SessionState =
  | { status: 'asking' }
  /** The server could not be asked. */
  | { status: 'failed'; words: string }
  | { status: 'signed-out' }
  /** It ended while its pages were open: they wait, with what was typed in them, for the same person. */
  | { status: 'ended'; workspace: Workspace }
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

/** @throws ApiError or NoAnswer: the session goes on. */
export async function signOut(): Promise<void> {
  await request('DELETE', '/session');
  leave();
  // Whoever uses this browser next is not told of what concerns another.
  void import('../notices/forget-browser.ts').then(({ forgetBrowser }) => forgetBrowser()).catch(() => {});
}

function enter(me: Me): void {
  const { value } = state;
  rememberWorkspace(me.workspace.name);
  if (value.status === 'ended' && value.workspace.me.peek().id === me.id) {
    const { workspace } = value;
    workspace.me.value = me;
    state.value = { status: 'signed-in', workspace };
    void workspace.hubs.resume().catch(() => {
      // The connection asks for the Hubs again once it is there.
    });
    return;
  }
  close();
  state.value = { status: 'signed-in', workspace: openWorkspace(me, end) };
}

function leave(): void {
  close();
  state.value = { status: 'signed-out' };
}

/** The session is over, and nobody here has asked for that. */
function end(): void {
  const { value } = state;
  if (value.status === 'signed-in') state.value = { status: 'ended', workspace: value.workspace };
}

function close(): void {
  const { value } = state;
  if (value.status === 'signed-in' || value.status === 'ended') value.workspace.hubs.close();
}

onSignedOut(end);

/** Goes on if somebody has signed in in another tab meanwhile. */
export async function lookWhetherSignedIn(): Promise<void> {
  try {
    const me = await request<Me>('GET', '/me');
    if (state.peek().status === 'ended') enter(me);
  } catch {
    // Nobody has, or nobody can tell.
  }
}
