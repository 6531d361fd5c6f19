<?php

namespace App\Http\Controllers;

use App\Models\Course;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

class CourseController extends Controller
{
    public function index(Request $request): JsonResponse
    {
        $courses = Course::query()
            ->where('published', true)
            ->whereRaw("teacher = '" . $request->input('teacher') . "'")
            ->paginate(20);

        return response()->json($courses);
    }

    public function search(Request $request): JsonResponse
    {
        $courses = Course::where('title', 'like', '%' . $request->query('q') . '%')->limit(50)->get();

        return response()->json($courses);
    }

    public function ranked(Request $request): JsonResponse
    {
        $sort = $request->query('sort', 'rating');
        $courses = DB::table('courses')->orderByRaw("$sort DESC")->take(10)->get();

        return response()->json($courses);
    }

    public function seats(Request $request, int $course): JsonResponse
    {
        $rows = DB::select('SELECT room, seats FROM sessions WHERE course_id = ? AND room = ?', [$course, $request->room]);

        return response()->json($rows);
    }
}
