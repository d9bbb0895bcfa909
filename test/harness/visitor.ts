/** Somebody at a real browser, whichever it is. Selectors are of CSS. */
export interface Visitor {
  goto(url: string): Promise<void>;
  back(): Promise<void>;
  click(selector: string): Promise<void>;
  /** Types in place of what stands in a field. */
  fill(selector: string, text: string): Promise<void>;
  /** Presses keys one after another, such as `a`, `Escape` or `Control+Enter`. */
  press(...chords: readonly string[]): Promise<void>;
  /** A property of the first such element. */
  read(selector: string, property: string): Promise<string>;
  close(): Promise<void>;
}
