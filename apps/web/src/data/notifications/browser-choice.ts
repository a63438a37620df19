import { signal } from '@preact/signals';

const KEY = 'hub.notices';

/** The notification choice for this browser. */
export interface BrowserChoice {
  personId: string;
  /** Whether notifications are also pushed while no page is open. */
  isPushed: boolean;
}

/** Null: notifications are off here. The choice belongs to one user and does not apply to anyone else who signs in. */
const choice = signal<BrowserChoice | null>(stored());

addEventListener('storage', ({ key }) => {
  if (key === KEY) choice.value = stored();
});

export function browserChoice(personId: string): BrowserChoice | null {
  return choice.value?.personId === personId ? choice.value : null;
}

export function chooseForBrowser(chosen: BrowserChoice | null): void {
  choice.value = chosen;
  if (chosen === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(chosen));
}

function stored(): BrowserChoice | null {
  try {
    const value = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Partial<BrowserChoice> | null;
    if (typeof value?.personId !== 'string') return null;
    return { personId: value.personId, isPushed: value.isPushed === true };
  } catch {
    return null;
  }
}
