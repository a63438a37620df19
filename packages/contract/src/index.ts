export * from './blocks/schema.ts';
export * from './error.ts';
export * from './key-token.ts';
export * from './limits.ts';
export * from './public-api.ts';
export * from './scopes.ts';
export * from './timestamp.ts';
export * from './workspace.ts';
