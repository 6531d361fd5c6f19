using System.Collections.Generic;
using System.Data;
using System.Linq;
using Dapper;
using Microsoft.AspNetCore.Mvc;

namespace Grid;

[ApiController]
[Route("grid")]
public class GridController : ControllerBase
{
    private static readonly HashSet<string> Columns = new() { "Id", "Name", "Created" };
    private readonly IDbConnection _db;

    public GridController(IDbConnection db) => _db = db;

    private static string Esc(string s) => s.Replace("'", "''");

    [HttpGet]
    public IEnumerable<dynamic> All(string sort = "Id")
    {
        return _db.Query("SELECT * FROM Cell ORDER BY " + Esc(sort));
    }

    [HttpGet("{id}")]
    public dynamic One(string id)
    {
        return _db.QueryFirst($"SELECT * FROM Cell WHERE Id = {Esc(id)}");
    }

    [HttpGet("page")]
    public IEnumerable<dynamic> Page(string size)
    {
        return _db.Query("SELECT TOP " + Esc(size) + " * FROM Cell");
    }

    [HttpGet("listed")]
    public IActionResult Listed(string sort)
    {
        if (!Columns.Contains(sort))
            return BadRequest();
        return Ok(_db.Query("SELECT * FROM Cell ORDER BY " + sort));
    }
}
