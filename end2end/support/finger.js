// A finger on the screen, which Playwright can only tap with.

/** Drags from a point to another, and lifts. */
export async function finger(context, page) {
  const session = await context.newCDPSession(page);
  const touch = (type, points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  return {
    drag: async (from, to) => {
      await touch('touchStart', [from]);
      await touch('touchMove', [{ x: from.x + 10, y: from.y }]);
      await touch('touchMove', [to]);
    },
    lift: () => touch('touchEnd', []),
  };
}
