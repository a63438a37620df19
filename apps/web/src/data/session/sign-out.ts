import { writeStored } from '../../lib/stored.ts';
import { ApiError, requestLast } from '../request.ts';
import { forget, leaving, session, tabs, USER } from './session.ts';

/** The time limit for clearing browser storage on sign-out. */
const CLEAR_TIMEOUT_MS = 2_000;

/**
 * Signs out in every tab, and clears what the user has stored in this browser. Then opens `to`.
 * @throws ApiError or NoResponse: the session continues and nothing is cleared.
 */
export async function signOut(to = '/'): Promise<void> {
  const { value } = session;
  if (value.status !== 'signed-in' && value.status !== 'ended') return;
  const userId = value.workspace.me.peek().id;
  leaving.isNow = true;
  try {
    await requestLast('DELETE /session');
  } catch (error) {
    leaving.isNow = false;
    if (!(error instanceof ApiError && error.statusCode === 401)) throw error;
  }
  leaving.to = to;
  writeStored(USER, '');
  tabs.postMessage(userId);
  forget(userId, forgetBrowser());
}

/** Turns off notifications in this browser, so that the next user does not see them. */
async function forgetBrowser(): Promise<void> {
  const isDone = import('../notifications/browser.ts').then((notifications) => notifications.forgetBrowser());
  await Promise.race([isDone.catch(() => {}), new Promise((resolve) => setTimeout(resolve, CLEAR_TIMEOUT_MS))]);
}
