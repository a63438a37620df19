import { signal } from '@preact/signals';

/** Which Hub a key is being issued for, over whatever page; `null` while none is. */
export const issuingFor = signal<{ hubId?: string } | null>(null);

/** Opens the form for a new key. It stays when the page below it changes, such as when the first post arrives. */
export function openIssueKey(hubId?: string): void {
  issuingFor.value = hubId === undefined ? {} : { hubId };
}

export function closeIssueKey(): void {
  issuingFor.value = null;
}
