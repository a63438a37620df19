import type { Me, SignedIn } from '@hub/contract';
import { ACCOUNT_DISABLED } from '@hub/contract/live';
import { type ReadonlySignal, signal } from '@preact/signals';
import { readStored, writeStored } from '../../lib/stored.ts';
import { dropEarly } from '../early-requests.ts';
import { openWorkspace, rememberWorkspace, type Workspace } from '../live/workspace.ts';
import { errorMessage, onSignedOut, request, requestAs } from '../request.ts';
import { deleteUnsaved } from '../unsent/unsaved-text.ts';

type SessionState =
  | { status: 'asking' }
  | { status: 'failed'; text: string }
  /** `needsSetup`: nobody has an account, so nobody can sign in. */
  | { status: 'signed-out'; needsSetup: boolean }
  /**
   * The session ended while its pages were open. They wait for the same user to sign in again, with their drafts.
   * `isDisabled`: the account is disabled, and only the drafts stored in the browser remain.
   */
  | { status: 'ended'; workspace: Workspace; isDisabled: boolean }
  | { status: 'signed-in'; workspace: Workspace };

/** Tells other tabs which user has signed out. */
export const tabs = new BroadcastChannel('hub.signed-out');
/** Tells other tabs whose session this browser has. */
const signIns = new BroadcastChannel('hub.signed-in');

/** The id of the user who signed in last in this browser; empty once they have signed out. */
export const USER = 'hub.user';

/** `isNow`: this tab is signing out, and the connection may end before the response arrives. `to`: the page that opens. */
export const leaving = { isNow: false, to: '/' };

/** This browser is getting a new session. The server closes the connection of the previous one. */
let isRenewing = false;
/** The new session exists, but the previous connection is not closed yet. */
let isRenewed = false;
/** The connection was closed before the response arrived. */
let wasClosed = false;

const state = signal<SessionState>({ status: 'asking' });

/** The ways to sign in, as the server said last; `undefined`: not known yet. */
export const ways = signal<Pick<SignedIn, 'provider' | 'canReset'>>();

export const session: ReadonlySignal<SessionState> = state;

/** Loads the session that the cookie belongs to from the server. */
export async function resume(): Promise<void> {
  state.value = { status: 'asking' };
  try {
    let response = await request('GET /session');
    const userId = readStored(USER);
    if (response.me && userId !== null && response.me.id !== userId) {
      // It was requested before another tab signed out or in, which this tab could not notice yet.
      dropEarly();
      response = await request('GET /session');
    }
    const { me, needsSetup = false } = response;
    ways.value = response;
    if (me) {
      // A new account is signed in by the page of its link, which then starts the app.
      signedIn(me);
    } else state.value = { status: 'signed-out', needsSetup };
  } catch (error) {
    state.value = { status: 'failed', text: errorMessage(error) };
  }
}

/** Continues as a user who has just signed in in this browser. */
export function signedIn(me: Me): void {
  signIns.postMessage(me.id);
  enter(me);
}

/** Handles a rejected sign-in of the user whose session ended: the account may be disabled. */
export function signInRejected(email: string, text: string): void {
  const { value } = state;
  if (value.status === 'ended' && value.workspace.me.peek().email === email.toLowerCase()) end(text);
}

function enter(me: Me): void {
  const { value } = state;
  rememberWorkspace(me.workspace.name);
  writeStored(USER, me.id);
  // The response to another request for the session was faster.
  if (value.status === 'signed-in') {
    startOverIfOther(me.id);
    return;
  }
  if (value.status === 'ended' && !value.isDisabled && value.workspace.me.peek().id === me.id) {
    const { workspace } = value;
    workspace.me.value = me;
    state.value = { status: 'signed-in', workspace };
    resumeSession(workspace);
    return;
  }
  // A different user, or the same user with a different role: no data may remain from before, not even in memory.
  if (value.status === 'ended') {
    void startOver();
    return;
  }
  requestAs(me.id);
  state.value = { status: 'signed-in', workspace: openWorkspace(me, connectionEnded) };
}

/** Clears the page of a user who has signed out in some tab. Hides their data while waiting for `before`. */
export function forget(userId: string, before?: Promise<void>): void {
  const { value } = state;
  if (value.status !== 'signed-in' && value.status !== 'ended') return;
  if (value.workspace.me.peek().id !== userId) return;
  deleteUnsaved(userId);
  void startOver(before);
}

/** Reloads the page without its URL, which may contain a search. This aborts all pending requests. */
async function startOver(before?: Promise<void>): Promise<void> {
  const { value } = state;
  if (value.status === 'signed-in' || value.status === 'ended') value.workspace.hubs.close();
  state.value = { status: 'asking' };
  await before;
  location.replace(leaving.to);
}

/**
 * Runs a change that ends all sessions of the user and gives this browser a new one, such as a new password.
 * @throws what `change` throws.
 */
export async function renewSession(change: () => Promise<unknown>): Promise<void> {
  isRenewing = true;
  wasClosed = false;
  try {
    await change();
  } catch (error) {
    isRenewing = false;
    if (wasClosed) end();
    throw error;
  }
  isRenewing = false;
  const { value } = state;
  // A pending request that used the previous session got a 401 in the meantime.
  if (value.status === 'ended') await checkSignedIn();
  else if (!wasClosed) isRenewed = true;
  else if (value.status === 'signed-in') resumeSession(value.workspace);
}

/** Handles a connection closed because its session has ended. */
function connectionEnded(text: string): void {
  const { value } = state;
  if (isRenewing) wasClosed = true;
  // Every Hub first handles the end of its connection.
  else if (isRenewed && value.status === 'signed-in') queueMicrotask(() => resumeSession(value.workspace));
  else end(text);
  isRenewed = false;
}

function resumeSession({ hubs }: Workspace): void {
  void hubs.resume().catch(() => {
    // The connection reloads the Hubs once it is open.
  });
}

/** Handles a session that ended other than by signing out here. `text`: the reason from the server, if any. */
function end(text = ''): void {
  const { value } = state;
  if ((value.status !== 'signed-in' && value.status !== 'ended') || leaving.isNow) return;
  const isDisabled = text === ACCOUNT_DISABLED;
  if (value.status === 'ended' && (value.isDisabled || !isDisabled)) return;
  const { workspace } = value;
  state.value = { status: 'ended', workspace, isDisabled };
  // Signing in from another tab ends the previous session and creates one for all tabs.
  void checkSignedIn();
}

onSignedOut(() => end());
tabs.addEventListener('message', ({ data }) => forget(String(data)));
signIns.addEventListener('message', ({ data }) => startOverIfOther(data));

/** Starts over if this browser has the session of another user now: this tab must not act as them. */
function startOverIfOther(userId: unknown): void {
  const { value } = state;
  if (value.status !== 'signed-in') void checkSignedIn();
  else if (value.workspace.me.peek().id !== userId) void startOver();
}

/** Continues if the user has signed in from another tab. */
export async function checkSignedIn(): Promise<void> {
  if (state.peek().status !== 'ended') return;
  try {
    const { me } = await request('GET /session');
    if (me && state.peek().status === 'ended') enter(me);
  } catch {
    // Not signed in, or the server is unreachable.
  }
}
