import * as wire from '../index.ts';
import type { OperationDeclaration } from './operation.ts';

/** Logging in a program that has no browser (RFC 8628). */
export const deviceLoginOperations = {
  'POST /device-logins': {
    id: 'startDeviceLogin',
    summary: 'Start a login that a user confirms in a browser',
    description:
      'For programs such as `hubctl login` (RFC 8628). The user types the user code on the page, meanwhile the program polls with the device code. 429 after thirty from a network within an hour.',
    access: 'anyone',
    body: wire.StartDeviceLoginBody,
    noun: 'a login',
    status: 201,
    success: wire.DeviceLogin,
    errors: [429],
  },
  'POST /device-logins/poll': {
    id: 'pollDeviceLogin',
    summary: 'Ask whether a login was confirmed',
    description:
      'Returns a new personal access token of the user who has confirmed it. The token is in this response only, and the device code then is 404, as an expired or unknown one.',
    access: 'anyone',
    body: wire.PollDeviceLoginBody,
    noun: 'a poll',
    success: wire.DeviceLoginState,
    errors: [404],
  },
  'POST /device-logins/inspection': {
    id: 'inspectDeviceLogin',
    summary: 'Show the login of a code',
    description: 'For the page where the user decides. A wrong code is 404, and 429 after thirty codes within an hour.',
    access: 'session',
    body: wire.InspectDeviceLoginBody,
    noun: 'an inspection',
    success: wire.DeviceLoginRequest,
    errors: [404, 429],
  },
  'POST /device-logins/decision': {
    id: 'decideDeviceLogin',
    summary: 'Let a program log in as you, or not',
    confirmation: 'for an approval',
    description: 'An approval gives the program a personal access token, which expires after 365 days.',
    access: 'session',
    body: wire.DecideDeviceLoginBody,
    noun: 'a decision',
    success: wire.DeviceLoginRequest,
    errors: [404, 429],
  },
} as const satisfies Record<string, OperationDeclaration>;
