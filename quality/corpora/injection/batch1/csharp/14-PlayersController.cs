using System.Collections.Generic;
using System.Data;
using Dapper;
using Microsoft.AspNetCore.Mvc;

namespace Game.Controllers;

[ApiController]
[Route("players")]
public class PlayersController : ControllerBase
{
    private readonly IDbConnection _db;

    public PlayersController(IDbConnection db) => _db = db;

    [HttpGet]
    public IEnumerable<dynamic> Get(string sort, string dir)
    {
        var column = sort switch
        {
            "score" => "Score",
            "name" => "Nick",
            _ => "Id",
        };
        var direction = dir == "desc" ? "DESC" : "ASC";
        return _db.Query($"SELECT * FROM Player ORDER BY {column} {direction}");
    }

    [HttpGet("all")]
    public IEnumerable<dynamic> All(string sort)
    {
        var column = string.IsNullOrEmpty(sort) ? "Id" : sort;
        return _db.Query("SELECT * FROM Player ORDER BY " + column);
    }

    [HttpGet("team")]
    public IEnumerable<dynamic> Team(string team)
    {
        string pattern;
        switch (team)
        {
            case null:
                pattern = "%";
                break;
            default:
                pattern = team + "%";
                break;
        }
        return _db.Query("SELECT * FROM Player WHERE Team LIKE '" + pattern + "'");
    }
}
