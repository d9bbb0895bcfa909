/** What waits, by network. Networks take turns, and so do the narrower networks inside each one. */
export class Turns<T> {
  /** The number of items that wait. */
  size = 0;
  private readonly inside = new Map<string, Turns<T>>();
  private readonly items: T[] = [];

  /** Adds an item. Its networks come from the widest to the narrowest. */
  add([network, ...narrower]: readonly string[], item: T): void {
    this.size += 1;
    if (network === undefined) {
      this.items.push(item);
      return;
    }
    const turns = this.inside.get(network) ?? new Turns();
    this.inside.set(network, turns);
    turns.add(narrower, item);
  }

  /** Removes an item that waits no longer. */
  remove([network, ...narrower]: readonly string[], item: T): void {
    this.size -= 1;
    if (network === undefined) this.items.splice(this.items.indexOf(item), 1);
    else this.visit(network, (turns) => turns.remove(narrower, item));
  }

  /** Takes the oldest item of the network whose turn it is. Only widest networks that `mayCome` have a turn. */
  next(mayCome: (network: string) => boolean = () => true): T | undefined {
    const network = [...this.inside.keys()].find(mayCome);
    if (network === undefined) return this.taken(this.items.shift());
    const turns = this.inside.get(network) as Turns<T>;
    // It goes to the end, behind all others.
    this.inside.delete(network);
    this.inside.set(network, turns);
    return this.taken(this.visit(network, (each) => each.next()));
  }

  /** Takes the newest item of the network that has the most. */
  surplus(): T | undefined {
    const [network] = [...this.inside.keys()].sort((a, b) => this.sizeOf(b) - this.sizeOf(a));
    return this.taken(network === undefined ? this.items.pop() : this.visit(network, (turns) => turns.surplus()));
  }

  private sizeOf(network: string): number {
    return this.inside.get(network)?.size ?? 0;
  }

  private taken(item: T | undefined): T | undefined {
    if (item !== undefined) this.size -= 1;
    return item;
  }

  private visit<R>(network: string, act: (turns: Turns<T>) => R): R {
    const turns = this.inside.get(network) as Turns<T>;
    const result = act(turns);
    if (turns.size === 0) this.inside.delete(network);
    return result;
  }
}
