/** Who makes a change or looks at personal data, when and why. */
export interface Attribution {
  readonly actor: string;
  readonly at: Date;
  /** In the actor's words; may be empty. */
  readonly reason: string;
  /** The id of the request, stored only where a repeated request must be recognised. */
  readonly requestId?: string;
}

/** One change of state, stored for ever with the thing that changed. */
export interface Transition extends Attribution {
  /** Empty if the thing was just created. */
  readonly from: string;
  readonly to: string;
  /** The revision that the change made. */
  readonly revision: number;
}
