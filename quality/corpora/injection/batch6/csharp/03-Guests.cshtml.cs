using System.Collections.Generic;
using System.Data;
using System.Linq;
using System.Threading.Tasks;
using Dapper;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.RazorPages;

namespace Hotel.Pages
{
    public record Guest(int Id, string Name, string Room);

    public class GuestsModel : PageModel
    {
        private static readonly Dictionary<string, string> Columns = new()
        {
            ["name"] = "g.name",
            ["room"] = "g.room",
            ["arrival"] = "g.arrived_at",
        };

        private readonly IDbConnection _db;

        public GuestsModel(IDbConnection db) => _db = db;

        [BindProperty(SupportsGet = true)]
        public string Floor { get; set; }

        [BindProperty(SupportsGet = true)]
        public string Sort { get; set; }

        [BindProperty]
        public string Note { get; set; }

        public IReadOnlyList<Guest> Guests { get; private set; } = new List<Guest>();

        public async Task OnGetAsync()
        {
            var sql = $"SELECT g.id, g.name, g.room FROM guests g WHERE g.floor = '{Floor}' ORDER BY g.room";
            Guests = (await _db.QueryAsync<Guest>(sql)).ToList();
        }

        public async Task<IActionResult> OnGetSortedAsync()
        {
            if (Sort == null || !Columns.TryGetValue(Sort, out var column))
            {
                return BadRequest();
            }
            Guests = (await _db.QueryAsync<Guest>($"SELECT g.id, g.name, g.room FROM guests g ORDER BY {column}")).ToList();
            return Page();
        }

        public async Task<IActionResult> OnGetArrivalsAsync(string from, string to)
        {
            var query = string.Format(
                "SELECT id, name, room FROM guests WHERE arrived_at >= '{0}' AND arrived_at < '{1}'",
                from?.Trim(),
                to?.Trim());
            var rows = await _db.QueryAsync<Guest>(query);
            return new JsonResult(rows);
        }

        public async Task<IActionResult> OnPostNoteAsync(int id)
        {
            await _db.ExecuteAsync(
                "UPDATE guests SET note = @Note WHERE id = @id",
                new { Note, id });
            return RedirectToPage();
        }

        public async Task<IActionResult> OnGetRoomsAsync([FromQuery] string[] rooms)
        {
            var rows = await _db.QueryAsync<Guest>("SELECT id, name, room FROM guests WHERE room IN @rooms", new { rooms });
            return new JsonResult(rows);
        }
    }
}
