import { parseBaseUrl } from '../base-url.ts';
import { HubUsageError } from '../errors.ts';
import type { Item, Message, Note, Todo } from '../items.ts';
import { itemsOf } from './items-of.ts';
import { requestsTo } from './requests.ts';

export interface WorkspaceOptions {
  /** The URL of the server, with its path if it has one. */
  baseUrl: string | URL | undefined;
  /** A personal access token, `hub_pat_…`. */
  token: string | undefined;
  /** Sends the requests, for a proxy. Defaults to the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** A Hub, with the fields that most programs need. */
export interface Hub {
  id: string;
  name: string;
  topic: string | null;
  createdAt: string;
  deletedAt: string | null;
  /** Items are permanently deleted after this many days; `null`: they are kept forever. */
  retentionDays: number | null;
  /** The number of its newest event; 0 if there is none. */
  seq: number;
  /** Whether you are a member, and can therefore read it. */
  isMember: boolean;
}

/** The items of the lists that can be read, by the names of their operations in the OpenAPI document. */
export interface Lists {
  'GET /hubs': Hub;
  'GET /hubs/{hubId}/messages': Message;
  'GET /hubs/{hubId}/notes': Note;
  'GET /hubs/{hubId}/todos': Todo;
  'GET /stream': Item;
  'GET /todos': Todo;
}

/** The parameters of the path, and the query. */
export interface ListInput {
  hubId?: string;
  query?: Readonly<Record<string, string | number | undefined>>;
}

/** The items of a Hub, and the event that they reflect: `follow` and `events` continue after it. */
export interface HubItems {
  /** Newest first, replies included. */
  items: Item[];
  seq: number;
  epoch: string;
}

/** Reads lists of a workspace, as the user of the token. */
export interface Workspace {
  /** Returns every item of a list, newest first. */
  all<Operation extends keyof Lists>(operation: Operation, input?: ListInput): Promise<Lists[Operation][]>;
  /** Returns every message, note and to-do of a Hub. */
  itemsOf(hubId: string): Promise<HubItems>;
}

/**
 * Returns a reader of the lists of a workspace.
 *
 * @throws HubUsageError if the URL is invalid, or one of both is missing. The functions of the reader throw HubApiError if the server rejects a
 * request, and HubConnectionError without a complete response.
 */
export function openWorkspace({ baseUrl, token, fetch }: WorkspaceOptions): Workspace {
  // Both often come from variables of the environment.
  for (const [name, value] of Object.entries({ baseUrl, token })) {
    if (!value) throw new HubUsageError(`${name} is missing. Pass the URL of the server and a token (hub_pat_…).`);
  }
  const headers = { authorization: `Bearer ${token}` };
  const client = requestsTo({ base: parseBaseUrl(baseUrl), headers, fetch });
  return {
    all: (operation, input) => client.all(operation as 'GET /stream', input as object) as Promise<never[]>,
    itemsOf: (hubId) => itemsOf(client, hubId),
  };
}
