/** Says that somebody has a contribution open. It lapses unless it is renewed. */
export interface Presence {
  actor: string;
  since: Date;
  until: Date;
}

/** The time after which a presence lapses. */
export const presenceMs = 60_000;

/** The largest number of people who are shown for one contribution. */
export const maxPresent = 20;
