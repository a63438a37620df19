/** A key of the right form that no server knows. It is written out, so that what is tested does not compute its checksum. */
export const TEST_KEY = 'hub_live_Test0000000000000000000000000000001LX5fn';
