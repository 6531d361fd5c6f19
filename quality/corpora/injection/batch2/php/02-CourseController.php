<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

class CourseController extends Controller
{
    public function index(Request $request)
    {
        $opts = [
            'teacher' => $request->input('teacher'),
            'table' => 'courses_2024',
        ];
        $table = $opts['table'];

        return DB::select("select id, title from $table where public = 1");
    }

    public function byTeacher(Request $request)
    {
        $opts = ['table' => 'courses_2024'];
        $opts['teacher'] = $request->input('teacher');
        extract($opts);

        return DB::select("select id, title from courses where teacher = '{$opts['teacher']}'");
    }

    public function material(Request $request)
    {
        $data = collect($request->only(['course', 'file']))->map(fn ($v) => trim($v));

        return response()->download(storage_path('material/' . $data->get('file')));
    }
}
