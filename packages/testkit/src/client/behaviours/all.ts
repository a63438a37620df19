import { inTheProcess } from './in-the-process.ts';
import { onTheHub } from './on-the-hub.ts';
import { onTheNetwork } from './on-the-network.ts';
import type { Behaviours } from './trial.ts';

/** Tests of the client that run on every runtime. */
export const behaviours: Behaviours = { ...onTheHub, ...onTheNetwork, ...inTheProcess };
