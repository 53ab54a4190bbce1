import type { ComponentProps } from "react";
import { Link as RouterLink } from "react-router";

/**
 * A link within the product. The browser knows all routes from the start (react-router.config.ts), so no link has to be
 * marked as leading to one that is to be discovered: 21 bytes for each of dozens.
 */
export const Link = (props: ComponentProps<typeof RouterLink>) => <RouterLink discover="none" {...props} />;
