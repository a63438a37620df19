export { HubApiError } from '../api-errors.ts';
export { HubConnectionError, HubUsageError } from '../errors.ts';
export type { Item, Message, Note, Todo } from '../items.ts';
export {
  type Hub,
  type HubItems,
  type ListInput,
  type Lists,
  openWorkspace,
  type Workspace,
  type WorkspaceOptions,
} from './reader.ts';
