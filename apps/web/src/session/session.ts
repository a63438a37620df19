import type { Me, SignedIn } from '@hub/contract';
import { ACCOUNT_DISABLED } from '@hub/contract/live';
import { type ReadonlySignal, signal } from '@preact/signals';
import { ApiError, errorMessage, onSignedOut, request, requestLast } from '../api/request.ts';
import { loadReaders } from '../posts/read-post.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { rememberWorkspace } from './known-workspace.ts';
import { forgetText } from './unsaved-text.ts';

export type SessionState =
  | { status: 'asking' }
  /** The server could not be asked. */
  | { status: 'failed'; text: string }
  /** `needsSetup`: nobody has an account, so nobody can sign in. */
  | { status: 'signed-out'; needsSetup: boolean }
  /**
   * It ended while its pages were open: they wait, with what was typed in them, for the same person. `isDisabled`: so is
   * the account, and nothing waits but what was typed, which the browser keeps.
   */
  | { status: 'ended'; workspace: Workspace; isDisabled: boolean }
  | { status: 'signed-in'; workspace: Workspace };

/** Tells the other tabs who has signed out. */
const tabs = new BroadcastChannel('hub.signed-out');
/** Tells them that somebody has signed in. */
const signIns = new BroadcastChannel('hub.signed-in');

/** What the browser itself keeps is taken away within this time, or not. */
const FORGETTING_MS = 2_000;

/** It is being ended from here: the connection may hear of that before the answer is there. */
let isLeaving = false;

/** This browser is being given another session in the place of the one that it has, whose connection the server cuts. */
let isRenewing = false;
/** It was given, and the connection of the former one is not cut yet. */
let isRenewed = false;
/** It was cut before there was an answer. */
let wasCut = false;

const state = signal<SessionState>({ status: 'asking' });

/** Who is signed in, in this tab. */
export const session: ReadonlySignal<SessionState> = state;

/** Asks the server who the cookie says one is. */
export async function resume(): Promise<void> {
  state.value = { status: 'asking' };
  try {
    const [{ me, needsSetup = false }] = await Promise.all([request<SignedIn>('GET', '/session'), loadReaders()]);
    if (me) enter(me);
    else state.value = { status: 'signed-out', needsSetup };
  } catch (error) {
    state.value = { status: 'failed', text: errorMessage(error) };
  }
}

/** @throws ApiError if the password is wrong; NoAnswer. */
export async function signIn(email: string, password: string): Promise<void> {
  try {
    const me = await request<Me>('POST', '/session', { body: { email, password } });
    signIns.postMessage(null);
    enter(me);
  } catch (error) {
    if (error instanceof ApiError && isOfThisUser(email)) end(error.message);
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
  const isDone = import('../notifications/forget-browser.ts').then((notifications) => notifications.forgetBrowser());
  await Promise.race([isDone.catch(() => {}), new Promise((resolve) => setTimeout(resolve, FORGETTING_MS))]);
}

function enter(me: Me): void {
  const { value } = state;
  rememberWorkspace(me.workspace.name);
  if (value.status === 'ended' && !value.isDisabled && value.workspace.me.peek().id === me.id) {
    const { workspace } = value;
    workspace.me.value = me;
    state.value = { status: 'signed-in', workspace };
    goOn(workspace);
    return;
  }
  // Somebody else, or who may see other things by now: nothing of what was here before is to be found, in the memory of the page neither.
  if (value.status === 'ended') void startOver();
  else state.value = { status: 'signed-in', workspace: openWorkspace(me, connectionEnded) };
}

/** Somebody has signed out, in this tab or in another one. Nothing is shown of theirs while `before` is waited for. */
function forget(personId: string, before?: Promise<void>): void {
  const { value } = state;
  if (value.status !== 'signed-in' && value.status !== 'ended') return;
  if (value.workspace.me.peek().id !== personId) return;
  forgetText(personId);
  void startOver(before);
}

/** Loads the page anew, and without the address: what one looked for may stand in it. That ends whatever is not done by then. */
async function startOver(before?: Promise<void>): Promise<void> {
  const { value } = state;
  if (value.status === 'signed-in' || value.status === 'ended') value.workspace.hubs.close();
  state.value = { status: 'asking' };
  await before;
  location.replace('/');
}

/**
 * Does what ends every session of this person and gives this browser a new one, such as another password. The pages go on.
 * @throws what `change` throws.
 */
export async function renewSession(change: () => Promise<unknown>): Promise<void> {
  isRenewing = true;
  wasCut = false;
  try {
    await change();
  } catch (error) {
    isRenewing = false;
    if (wasCut) end();
    throw error;
  }
  isRenewing = false;
  const { value } = state;
  // A request that was under way with the former one has been refused meanwhile.
  if (value.status === 'ended') await lookWhetherSignedIn();
  else if (!wasCut) isRenewed = true;
  else if (value.status === 'signed-in') goOn(value.workspace);
}

/** The server has cut the connection, since its session has ended. */
function connectionEnded(text: string): void {
  const { value } = state;
  if (isRenewing) wasCut = true;
  // First every Hub has to hear that its connection has ended.
  else if (isRenewed && value.status === 'signed-in') queueMicrotask(() => goOn(value.workspace));
  else end(text);
  isRenewed = false;
}

/** With the session that there is now. */
function goOn({ hubs }: Workspace): void {
  void hubs.resume().catch(() => {
    // The connection asks for the Hubs again once it is there.
  });
}

/** The session is over, and nobody here has asked for that. `words`: of the server, why; they may come behind the first refusal. */
function end(text = ''): void {
  const { value } = state;
  if ((value.status !== 'signed-in' && value.status !== 'ended') || isLeaving) return;
  const isDisabled = text === ACCOUNT_DISABLED;
  if (value.status === 'ended' && (value.isDisabled || !isDisabled)) return;
  const { workspace } = value;
  state.value = { status: 'ended', workspace, isDisabled };
  // Whoever signs in in another tab ends the session that there was, and has one for all of them.
  void lookWhetherSignedIn();
}

/** Another one may be signing in where this one was. */
function isOfThisUser(email: string): boolean {
  const { value } = state;
  return value.status === 'ended' && value.workspace.me.peek().email === email.toLowerCase();
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.statusCode === 401;
}

onSignedOut(() => end());
tabs.addEventListener('message', ({ data }) => forget(String(data)));
signIns.addEventListener('message', () => void lookWhetherSignedIn());

/** Goes on if somebody has signed in in another tab meanwhile. */
export async function lookWhetherSignedIn(): Promise<void> {
  if (state.peek().status !== 'ended') return;
  try {
    const { me } = await request<SignedIn>('GET', '/session');
    if (me && state.peek().status === 'ended') enter(me);
  } catch {
    // Nobody has, or nobody can tell.
  }
}
