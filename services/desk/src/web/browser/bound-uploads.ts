/** Says that chosen files are too many or too large before they are sent. */
export function boundUploads(): void {
  document.addEventListener('change', ({ target: input }) => {
    if (!(input instanceof HTMLInputElement) || input.dataset['mostFiles'] === undefined) return;
    const files = [...(input.files ?? [])];
    const [most, mostBytes] = [Number(input.dataset['mostFiles']), Number(input.dataset['mostBytes'])];
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const fault =
      files.length > most
        ? `These are ${files.length} files. At most ${most} can be imported at a time.`
        : bytes > mostBytes
          ? `These files have ${(bytes / 1024 / 1024).toFixed(1)} MB together. At most ${mostBytes / 1024 / 1024} MB can be imported at a time.`
          : '';
    input.setCustomValidity(fault);
    input.reportValidity();
  });
}
