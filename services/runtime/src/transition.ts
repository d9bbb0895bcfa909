/** The actor, time and reason of a change or of a look at personal data. */
export interface Attribution {
  readonly actor: string;
  readonly at: Date;
  /** The reason as the actor wrote it; may be empty. */
  readonly reason: string;
  /** The id of the request. It is stored where a repeated request must be recognised, or where support finds by it. */
  readonly requestId?: string;
}

/** One change of state. It is stored permanently with the document that changed. */
export interface Transition extends Attribution {
  /** The state before; empty if the change created the document. */
  readonly from: string;
  readonly to: string;
  /** The revision number after the change. */
  readonly revision: number;
}
