import { signal } from '@preact/signals';

const KEY = 'hub.notices';

/** What somebody has chosen for this browser. */
export interface BrowserChoice {
  personId: string;
  /** Also while no page is open. */
  isPushed: boolean;
}

/** `null`: notices are off here. It is of one person: somebody else who signs in is not asked for, nor shown, anything. */
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
