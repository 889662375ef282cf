"""Find every bad GPU node by group tests, as a machine."""
