/** This server as one of several that share a workspace. */
export interface NodeSource {
  id: string;
  /** Whether this is the node that does what must be done once. */
  isLeader(): boolean;
  cluster(): Promise<Cluster>;
}

/** The servers behind a workspace, as far as this node's account may see them. */
export interface Cluster {
  /** The number of nodes that are connected to the database. */
  nodes: number;
  standbys: Standby[];
}

/** A copy of the database that PostgreSQL itself keeps up to date. */
export interface Standby {
  name: string;
  /** `null`: unknown, since only accounts with the role `pg_monitor` can see it. */
  isSynchronous: boolean | null;
  /** How much of the log it has not replayed yet; `null`: unknown. */
  lagBytes: number | null;
}
