/**
 * The block in the editor: its settings, and the list as pages show it. Not compiled: it uses the
 * globals of WordPress.
 */
( function ( wp, texts ) {
	'use strict';

	var el = wp.element.createElement;
	var components = wp.components;
	var choices = null; // one request for all blocks of the page

	/** The values that filters take. Empty lists where they cannot be read. */
	function readChoices() {
		choices = choices || wp.apiFetch( { path: '/litfass/v1/choices' } ).catch( function () {
			choices = null;
			return { categories: [], event_types: [] };
		} );
		return choices;
	}

	/** A field of a group of check boxes. Values that are not on offer stay chosen. */
	function Choices( props ) {
		var shown = props.choices;
		return el(
			'fieldset',
			{ style: { marginBottom: '24px' } },
			el( 'legend', { style: { marginBottom: '8px', fontSize: '11px', fontWeight: 500, textTransform: 'uppercase' } }, props.label ),
			shown && shown.length === 0 && el( 'p', null, texts.noChoices ),
			el(
				'div',
				{ style: { maxHeight: '180px', overflow: 'auto', padding: '4px' } },
				( shown || [] ).map( function ( choice ) {
					return el( components.CheckboxControl, {
						key: choice.value,
						label: choice.label,
						checked: props.value.indexOf( choice.value ) >= 0,
						onChange: function ( checked ) {
							var others = props.value.filter( function ( value ) {
								return value !== choice.value;
							} );
							props.onChange( checked ? others.concat( choice.value ) : others );
						},
					} );
				} )
			)
		);
	}

	function Edit( props ) {
		var attributes = props.attributes;
		var loaded = wp.element.useState( {} );
		wp.element.useEffect( function () {
			var shown = true;
			readChoices().then( function ( found ) {
				if ( shown ) {
					loaded[ 1 ]( found );
				}
			} );
			return function () {
				shown = false;
			};
		}, [] );

		function set( name ) {
			return function ( value ) {
				var change = {};
				change[ name ] = value;
				props.setAttributes( change );
			};
		}
		function text( name, label, help ) {
			return el( components.TextControl, { label: label, help: help, value: attributes[ name ], onChange: set( name ) } );
		}
		function boxes( name, label ) {
			return el( Choices, { label: label, choices: loaded[ 0 ][ name ], value: attributes[ name ], onChange: set( name ) } );
		}

		return el(
			wp.element.Fragment,
			null,
			el(
				wp.blockEditor.InspectorControls,
				null,
				el(
					components.PanelBody,
					{ title: texts.events },
					text( 'search', texts.search ),
					text( 'city', texts.city ),
					boxes( 'categories', texts.categories ),
					boxes( 'event_types', texts.eventTypes ),
					text( 'portal', texts.portal, texts.portalHelp ),
					text( 'filter', texts.filter, texts.filterHelp )
				),
				el(
					components.PanelBody,
					{ title: texts.look },
					el( components.SelectControl, {
						label: texts.view,
						value: attributes.view,
						options: [ 'list', 'week', 'month' ].map( function ( view ) {
							return { value: view, label: texts[ view ] };
						} ),
						onChange: set( 'view' ),
					} ),
					text( 'heading', texts.heading ),
					el( components.SelectControl, {
						label: texts.level,
						value: String( attributes.heading_level ),
						options: [ 2, 3, 4, 5 ].map( function ( level ) {
							return { value: String( level ), label: String( level ) };
						} ),
						onChange: function ( level ) {
							set( 'heading_level' )( Number( level ) );
						},
					} ),
					attributes.view === 'list' &&
						el( components.RangeControl, {
							label: texts.limit,
							min: 1,
							max: 50,
							value: attributes.limit,
							onChange: set( 'limit' ),
						} ),
					text( 'lang', texts.lang, texts.langHelp )
				)
			),
			el(
				'div',
				wp.blockEditor.useBlockProps(),
				// Links of the list do not lead away from the editor.
				el( components.Disabled, null, el( wp.serverSideRender, { block: 'litfass/events', attributes: attributes } ) )
			)
		);
	}

	wp.blocks.registerBlockType( 'litfass/events', {
		edit: Edit,
		save: function () {
			return null; // the server renders it
		},
	} );
} )( window.wp, window.litfassTexts );
