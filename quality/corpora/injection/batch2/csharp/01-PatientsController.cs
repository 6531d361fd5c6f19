using System.Collections.Generic;
using System.Threading.Tasks;
using Dapper;
using Microsoft.AspNetCore.Mvc;
using Npgsql;

namespace Clinic.Api.Controllers;

[ApiController]
[Route("api/patients")]
public class PatientsController : ControllerBase
{
    private readonly NpgsqlDataSource _source;

    public PatientsController(NpgsqlDataSource source) => _source = source;

    private static string Filter(string column, string value) => $"{column} = '{value}'";

    private async Task<IEnumerable<dynamic>> Select(string condition)
    {
        await using var conn = await _source.OpenConnectionAsync();
        return await conn.QueryAsync("SELECT id, surname FROM patient WHERE " + condition);
    }

    [HttpGet]
    public async Task<IActionResult> Get([FromQuery] string ward)
    {
        return Ok(await Select(Filter("ward", ward)));
    }

    [HttpGet("today")]
    public async Task<IActionResult> Today()
    {
        return Ok(await Select("admitted = CURRENT_DATE"));
    }

    [HttpGet("by-name")]
    public async Task<IActionResult> ByName([FromQuery] string surname)
    {
        await using var conn = await _source.OpenConnectionAsync();
        return Ok(await conn.QueryAsync("SELECT id FROM patient WHERE surname = @surname", new { surname }));
    }
}
