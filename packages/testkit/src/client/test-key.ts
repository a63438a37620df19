/**
 * A key in the correct format that no server knows. It is a literal, so that the code under test does not compute its
 * checksum.
 */
export const TEST_KEY = 'hub_live_Test0000000000000000000000000000001LX5fn';
