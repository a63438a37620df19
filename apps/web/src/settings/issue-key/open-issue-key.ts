import { signal } from '@preact/signals';

/** The Hub that the open form issues a key for; `null` while the form is closed. */
export const issuingFor = signal<{ hubId?: string } | null>(null);

/** Opens the form for a new key. It stays open when the page below it changes, such as when the first post arrives. */
export function openIssueKey(hubId?: string): void {
  issuingFor.value = hubId === undefined ? {} : { hubId };
}

export function closeIssueKey(): void {
  issuingFor.value = null;
}
