import type { Workspace } from '@hub/contract';
import { request } from '../request.ts';
import { useResource } from './use-resource.ts';

/** Returns the current settings of the workspace; `null` until loaded. */
export function useWorkspaceSettings(): Workspace | null {
  return useResource((signal) => request('GET /workspace', { signal }), { topics: ['workspace'] }).value ?? null;
}
