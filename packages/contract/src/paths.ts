/** The path of the workspace API. `operations/` has its operations. */
export const WORKSPACE_API_PATH = '/api/v1';
export const PUBLIC_API_PATH = '/api/public/v1';
/** The path of the live connection: a WebSocket (RFC 6455), one per client, for all of its Hubs. */
export const LIVE_PATH = '/api/v1/live';
