let timer: ReturnType<typeof setTimeout> | undefined;

/** Takes the undo of the last decision away when its time is over. */
export function endUndoInTime(): void {
  clearTimeout(timer);
  const time = document.querySelector<HTMLElement>('#outcome [data-undo-ms]');
  if (time === null) return;
  timer = setTimeout(() => {
    if (!time.isConnected) return;
    time.textContent = 'It can no longer be undone.';
    document.querySelector('#outcome form')?.remove();
  }, Number(time.dataset['undoMs']));
}
