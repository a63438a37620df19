/** The page of each kind of one-time link. */
export const LINK_PATHS = {
  setup: '/setup',
  invitation: '/join',
  password_reset: '/reset',
  email_change: '/email',
} as const;

export type LinkKind = keyof typeof LINK_PATHS;
