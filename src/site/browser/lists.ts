/** Hides the items of a page's lists that do not contain the words in its field. */
export function setUpFilter(box: HTMLInputElement): void {
  const count = document.querySelector<HTMLOutputElement>("#count")!;
  const nothing = document.getElementById("nothing")!;
  const items = [
    ...document.querySelectorAll<HTMLElement>("[data-filter] > li"),
  ].map((node) => ({
    node,
    text: `${node.textContent} ${node.parentElement!.dataset["context"] ?? ""}`.toLowerCase(),
  }));
  const groups = [...document.querySelectorAll<HTMLElement>("[data-group]")];
  const filter = (): void => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { node, text } of items) {
      const hidden = !words.every((word) => text.includes(word));
      if (node.hidden !== hidden) node.hidden = hidden;
      if (!hidden) shown++;
    }
    for (const group of groups)
      group.hidden = !group.querySelector("[data-filter] > li:not([hidden])");
    if (words.length > 0 || shown < items.length)
      count.value = `${shown} found`;
    nothing.hidden = shown > 0;
  };
  if (items.length === 0) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(filter, 60);
  });
}

/** Marks the entry of the navigation whose method is at the top of the window. */
export function setUpPosition(aside: HTMLElement): void {
  const links = new Map(
    [...aside.querySelectorAll<HTMLAnchorElement>("a[href*='#']")].map(
      (link) => [decodeURIComponent(link.hash.slice(1)), link],
    ),
  );
  const sections = [...document.querySelectorAll<HTMLElement>(".method")];
  const idOf = (section: HTMLElement): string =>
    decodeURIComponent(section.getAttribute("aria-labelledby") ?? "");
  if (links.size === 0 || sections.length === 0) return;
  let marked: HTMLAnchorElement | undefined;
  const mark = (): void => {
    const above = sections.filter(
      (section) => section.getBoundingClientRect().top < innerHeight / 3,
    );
    const current = above.at(-1) ?? sections[0]!;
    const link = links.get(idOf(current));
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    marked = link;
    if (link === undefined) return;
    link.setAttribute("aria-current", "location");
    // Only the navigation scrolls, not the page.
    const { offsetTop } = link;
    if (
      offsetTop < aside.scrollTop ||
      offsetTop > aside.scrollTop + aside.clientHeight - 40
    )
      aside.scrollTop = offsetTop - aside.clientHeight / 2;
  };
  let isPending = false;
  addEventListener(
    "scroll",
    () => {
      if (isPending) return;
      isPending = true;
      requestAnimationFrame(() => {
        isPending = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}
