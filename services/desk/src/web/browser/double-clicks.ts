/** Lets the later clicks of a double click count only on the control of the first. Another may stand in its place. */
export function guardDoubleClicks(): void {
  let first: Element | null = null;
  const onClick = (event: MouseEvent): void => {
    const control = event.target instanceof Element ? event.target.closest('a, button, summary') : null;
    if (event.detail < 2) first = control;
    if (control === first) return;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', onClick, true);
}
