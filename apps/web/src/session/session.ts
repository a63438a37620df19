import type { Me, SignedIn } from '@hub/contract';
import { ACCOUNT_DISABLED } from '@hub/contract/live';
import { type ReadonlySignal, signal } from '@preact/signals';
import { ApiError, onSignedOut, request, requestLast, wordsOf } from '../api/request.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { forgetWords } from './kept-words.ts';
import { rememberWorkspace } from './known-workspace.ts';

export type SessionState =
  | { status: 'asking' }
  /** The server could not be asked. */
  | { status: 'failed'; words: string }
  | { status: 'signed-out' }
  /** It ended while its pages were open: they wait, with what was typed in them, for the same person. */
  /** `isDisabled`: and so is the account. Then nothing waits but what was typed, which the browser keeps. */
  | { status: 'ended'; workspace: Workspace; isDisabled: boolean }
  | { status: 'signed-in'; workspace: Workspace };

/** Tells the other tabs who has signed out. */
const tabs = new BroadcastChannel('hub.signed-out');

/** What the browser itself keeps is taken away within this time, or not. */
const FORGETTING_MS = 2_000;

/** It is being ended from here: the connection may hear of that before the answer is there. */
let isLeaving = false;

const state = signal<SessionState>({ status: 'asking' });

/** Who is signed in, in this tab. */
export const session: ReadonlySignal<SessionState> = state;

/** Asks the server who the cookie says one is. */
export async function resume(): Promise<void> {
  state.value = { status: 'asking' };
  try {
    const { me } = await request<SignedIn>('GET', '/session');
    if (me) enter(me);
    else state.value = { status: 'signed-out' };
  } catch (error) {
    state.value = { status: 'failed', words: wordsOf(error) };
  }
}

/** @throws ApiError if the password is wrong; NoAnswer. */
export async function signIn(email: string, password: string): Promise<void> {
  try {
    enter(await request<Me>('POST', '/session', { body: { email, password } }));
  } catch (error) {
    if (error instanceof ApiError && isOfThisPerson(email)) end(error.message);
    throw error;
  }
}

/**
 * Takes away all that this person has left in the browser, too, in every tab.
 * @throws ApiError or NoAnswer: the session goes on, and nothing was taken away.
 */
export async function signOut(): Promise<void> {
  const { value } = state;
  if (value.status !== 'signed-in' && value.status !== 'ended') return;
  const personId = value.workspace.me.peek().id;
  isLeaving = true;
  try {
    await requestLast('DELETE', '/session');
  } catch (error) {
    isLeaving = false;
    if (!isSignedOut(error)) throw error;
  }
  tabs.postMessage(personId);
  forget(personId, forgetBrowser());
}

/** Whoever uses this browser next is not told of what concerns another. */
async function forgetBrowser(): Promise<void> {
  const isDone = import('../notices/forget-browser.ts').then((notices) => notices.forgetBrowser());
  await Promise.race([isDone.catch(() => {}), new Promise((resolve) => setTimeout(resolve, FORGETTING_MS))]);
}

function enter(me: Me): void {
  const { value } = state;
  rememberWorkspace(me.workspace.name);
  if (value.status === 'ended' && !value.isDisabled && value.workspace.me.peek().id === me.id) {
    const { workspace } = value;
    workspace.me.value = me;
    state.value = { status: 'signed-in', workspace };
    void workspace.hubs.resume().catch(() => {
      // The connection asks for the Hubs again once it is there.
    });
    return;
  }
  // Somebody else, or who may see other things by now: nothing of what was here before is to be found, in the memory of the page neither.
  if (value.status === 'ended') void startAnew();
  else state.value = { status: 'signed-in', workspace: openWorkspace(me, end) };
}

/** Somebody has signed out, in this tab or in another one. Nothing is shown of theirs while `before` is waited for. */
function forget(personId: string, before?: Promise<void>): void {
  const { value } = state;
  if (value.status !== 'signed-in' && value.status !== 'ended') return;
  if (value.workspace.me.peek().id !== personId) return;
  forgetWords(personId);
  void startAnew(before);
}

/** Loads the page anew, and without the address: what one looked for may stand in it. That ends whatever is not done by then. */
async function startAnew(before?: Promise<void>): Promise<void> {
  const { value } = state;
  if (value.status === 'signed-in' || value.status === 'ended') value.workspace.hubs.close();
  state.value = { status: 'asking' };
  await before;
  location.replace('/');
}

/** The session is over, and nobody here has asked for that. `words`: of the server, why; they may come behind the first refusal. */
function end(words = ''): void {
  const { value } = state;
  if ((value.status !== 'signed-in' && value.status !== 'ended') || isLeaving) return;
  const isDisabled = words === ACCOUNT_DISABLED;
  if (value.status === 'ended' && (value.isDisabled || !isDisabled)) return;
  const { workspace } = value;
  state.value = { status: 'ended', workspace, isDisabled };
}

/** Another one may be signing in where this one was. */
function isOfThisPerson(email: string): boolean {
  const { value } = state;
  return value.status === 'ended' && value.workspace.me.peek().email === email.toLowerCase();
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.statusCode === 401;
}

onSignedOut(() => end());
tabs.addEventListener('message', ({ data }) => forget(String(data)));

/** Goes on if somebody has signed in in another tab meanwhile. */
export async function lookWhetherSignedIn(): Promise<void> {
  try {
    const { me } = await request<SignedIn>('GET', '/session');
    if (me && state.peek().status === 'ended') enter(me);
  } catch {
    // Nobody has, or nobody can tell.
  }
}
