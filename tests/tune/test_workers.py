"""Work spread over processes: order, errors, and nobody left behind."""

from __future__ import annotations

import multiprocessing
import os

import pytest
from tune_work import begin

from soulmem.errors import QueryError, StoreError
from soulmem.tune.workers import spread


def test_results_come_in_the_order_of_the_tasks_whoever_did_them():
    tasks = list(range(23))
    told: list[int] = []
    found = spread(begin, tasks, 2, told.append)
    assert [task for task, _ in found] == tasks == sorted(told)
    workers = {worker for _, worker in found}
    assert len(workers) == 2 and os.getpid() not in workers
    assert multiprocessing.active_children() == []


def test_one_job_is_done_here_and_none_is_no_trouble():
    assert spread(begin, [3, 1], 1) == [(3, os.getpid()), (1, os.getpid())]
    assert spread(begin, [5], 8) == [(5, os.getpid())]
    assert spread(begin, [], 4) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_a_worker_is_raised_here_whole(jobs):
    with pytest.raises(QueryError) as caught:
        spread(begin, [1, -1, 2], jobs)
    assert str(caught.value) == "a.json:3: no such thing\n  Do this."
    assert multiprocessing.active_children() == []


def test_a_worker_that_dies_is_told_of():
    with pytest.raises(StoreError, match=r"exit code 7.*\n.*--jobs 1"):
        spread(begin, [1, -2, 2], 2)
    assert multiprocessing.active_children() == []
