"""Names that host programs written for the vendor's SDK import; Scheelite is behind them (docs/host.md)."""
