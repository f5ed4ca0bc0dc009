#!/bin/sh
# Prints the total of a cart. Each line of standard input is one item: name, price, quantity.
awk '{ sum += $2 } END { print sum + 0 }'
